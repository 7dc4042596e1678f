#!/bin/sh
# An agent in a POSIX shell: it signs the letter that is open with the name that the instruction gives, and saves it.
turn=0
name=
while IFS= read -r line; do
    case $line in
    '{"type": "start"'*)
        turn=0
        name=$(printf '%s\n' "$line" | sed -n -e "s/.*my name, \([^,]*\),.*/\1/p" -e "s/.*with '\([^']*\)'.*/\1/p")
        ;;
    '{"type": "observe"'*)
        turn=$((turn + 1))
        if [ "$turn" -eq 1 ]; then
            printf '[{"type": "press", "keys": "ctrl+End"}, {"type": "type", "text": "%s"}, ' "$name"
            printf '{"type": "press", "keys": "ctrl+s"}]\n'
        else
            printf '{"type": "done"}\n'
        fi
        ;;
    esac
done
