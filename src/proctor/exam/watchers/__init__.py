"""Who goes along with an exam, one file each."""
