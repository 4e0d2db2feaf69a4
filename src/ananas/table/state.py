"""The state of a table between two commands: seats, stacks, the hand being played, and what is waited for."""
