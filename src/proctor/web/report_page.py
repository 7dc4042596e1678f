"""The report on a run, as `proctor report` writes it, of what there is now."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from proctor.errors import RecordError
from proctor.report.page import page
from proctor.report.read_runs import read_runs
from proctor.report.style import POLICY
from proctor.report.summary import summarise
from proctor.web.runs import Runs

REPORTS = "/report/"
REPORT_POLICY = f"{POLICY}; frame-ancestors 'none'"


def report_routes(runs: Runs) -> list[BaseRoute]:
    """Return where reports are found."""

    def show(request: Request) -> Response:
        run = runs.find(request.path_params["run"])
        if run is None:
            raise HTTPException(404, "There is no such run here.")
        try:
            report = summarise(*read_runs([run.paths.root]))
        except RecordError as error:
            raise HTTPException(409, f"There is no report for this run: {error.message}") from error
        return HTMLResponse(page(report, f"Report on {run.name}", base="", back=f"/run/{run.id}"))

    return [Route(f"{REPORTS}{{run}}", show)]
