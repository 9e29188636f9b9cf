"""Tables of any make taken apart into typed columns, and put together again."""
