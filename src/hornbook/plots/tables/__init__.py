"""Tables before anything is learned from them."""
