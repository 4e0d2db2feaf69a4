"""Players that are programs: each is one method on a view."""
