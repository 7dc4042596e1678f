# A page is in the accessibility tree only when asked for; there is no keyring to ask, and nobody to answer first questions.
export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --force-renderer-accessibility --no-first-run --no-default-browser-check"
export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --password-store=basic --start-maximized"
