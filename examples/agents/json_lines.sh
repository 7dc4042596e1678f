#!/bin/sh
# An agent in a POSIX shell: it saves what is open and says that it is done.
turn=0
while IFS= read -r line; do
    case $line in
    '{"type": "start"'*)
        turn=0
        ;;
    '{"type": "observe"'*)
        turn=$((turn + 1))
        if [ "$turn" -eq 1 ]; then
            echo '{"type": "press", "keys": "ctrl+s"}'
        else
            echo '{"type": "done"}'
        fi
        ;;
    esac
done
