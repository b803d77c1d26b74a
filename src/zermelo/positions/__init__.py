"""All positions of a game at once: found, cut into tiers, and valued, exactly."""
