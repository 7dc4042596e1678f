"""An agent as a server: it is posted a brief at /start and observations at /act, and answers with actions."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from json_lines import decide

EPISODES = {}
"""What is known of each episode, by the header that all its requests share."""


class Agent(BaseHTTPRequestHandler):
    """Answers requests."""

    def do_POST(self):
        """Take in a brief, or answer an observation."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        episode = self.headers["Proctor-Episode"]
        if self.path == "/start":
            EPISODES[episode] = (message["brief"]["instruction"], False)
            answer = {}
        else:
            instruction, signed = EPISODES[episode]
            answer = decide(instruction, message, signed)
            EPISODES[episode] = (instruction, True)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        """Be quiet."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8765), Agent)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
