"""What many measured days say of a figure: pooled days, confirmed moves, and the monitor of slow change."""
