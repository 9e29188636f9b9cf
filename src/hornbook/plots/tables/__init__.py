"""Tables before any fit: distributions, profiles, the process."""
