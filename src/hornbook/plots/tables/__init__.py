"""Tables before anything is learnt from them."""
