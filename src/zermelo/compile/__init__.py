"""How a search becomes machine code for one game, and how it is run and watched."""
