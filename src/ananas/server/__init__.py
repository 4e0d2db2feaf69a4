"""The room on a network: what is asked is decided, kept, and then shown."""
