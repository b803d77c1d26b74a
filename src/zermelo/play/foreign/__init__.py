"""Programs of others as players: their processes, what they speak, and what they call our moves."""
