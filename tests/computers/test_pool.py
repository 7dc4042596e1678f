"""A pool lends each computer once, keeps others ready, tells of failures and leaves nothing behind."""

import threading
from collections.abc import Iterator

import pytest

from proctor.computers.backends.fake.computer import FakeComputer
from proctor.computers.pool import Pool
from proctor.errors import ComputerError, HostError, NotReady, SpecError

PATIENCE = 20.0


class Fleet:
    """Makes computers and counts them; some starts can be made to fail or to wait."""

    def __init__(self) -> None:
        self.made: list[FakeComputer] = []
        self.failures: list[Exception] = []
        self.gate = threading.Event()
        self.gate.set()
        self._lock = threading.Lock()

    def __call__(self) -> FakeComputer:
        assert self.gate.wait(PATIENCE)
        with self._lock:
            if self.failures:
                raise self.failures.pop(0)
            computer = FakeComputer()
            self.made.append(computer)
            return computer

    @property
    def open(self) -> list[FakeComputer]:
        return [computer for computer in self.made if computer.started]


@pytest.fixture
def fleet() -> Iterator[Fleet]:
    before = threading.active_count()
    fleet = Fleet()
    yield fleet
    assert fleet.open == []
    assert threading.active_count() == before


def test_each_lease_is_a_fresh_computer(fleet: Fleet) -> None:
    with Pool(fleet, 2) as pool:
        with pool.lease() as first:
            first.write_file("trace.txt", b"x")
        with pool.lease() as second:
            assert second is not first
            assert second.list_files() == []


def test_leases_are_apart_from_each_other(fleet: Fleet) -> None:
    with Pool(fleet, 1) as pool, pool.lease() as one, pool.lease() as two:
        assert one is not two


def test_spares_are_started_ahead_and_replaced(fleet: Fleet) -> None:
    with Pool(fleet, 3) as pool:
        pool.wait_ready(3, timeout_sec=PATIENCE)
        assert pool.ready == 3
        with pool.lease():
            pool.wait_ready(3, timeout_sec=PATIENCE)
            assert len(fleet.open) == 4


def test_used_computers_are_closed_even_after_errors(fleet: Fleet) -> None:
    with Pool(fleet, 1) as pool:
        for error in (RuntimeError, KeyboardInterrupt, SystemExit):
            with pytest.raises(error), pool.lease() as computer:
                raise error
            pool.wait_ready(1, timeout_sec=PATIENCE)
        pool.close()
        with pytest.raises(ComputerError, match="closed"):
            computer.screenshot()


def test_errors_of_the_factory_come_out_at_the_lease_once_each(fleet: Fleet) -> None:
    fleet.failures = [HostError("no namespaces", remedy="ask an administrator")]
    with Pool(fleet, 1) as pool:
        with pytest.raises(HostError, match="administrator"), pool.lease():
            pass
        with pool.lease() as computer:
            assert computer.run(["true"]).code == 0


def test_a_host_that_cannot_start_computers_is_not_hammered(fleet: Fleet) -> None:
    fleet.failures = [HostError(f"failure {number}") for number in range(100)]
    with Pool(fleet, 2) as pool:
        pool.wait_ready(2, timeout_sec=PATIENCE)
        assert pool.ready == 0
        for _ in range(3):
            with pytest.raises(HostError), pool.lease():
                pass
        pool.wait_ready(2, timeout_sec=PATIENCE)
        assert len(fleet.failures) == 100 - 2 - 3


def test_a_computer_whose_start_fails_is_closed(fleet: Fleet) -> None:
    def broken() -> FakeComputer:
        computer = fleet()
        computer.fail_next("start")
        return computer

    with Pool(broken, 1) as pool, pytest.raises(ComputerError), pool.lease():
        pass
    assert not any(computer.started for computer in fleet.made)


def test_lease_waits_only_so_long(fleet: Fleet) -> None:
    fleet.gate.clear()
    with Pool(fleet, 1) as pool:
        with pytest.raises(NotReady, match=r"0\.05 s"), pool.lease(timeout_sec=0.05):
            pass
        with pytest.raises(NotReady, match="0 of 1"):
            pool.wait_ready(1, timeout_sec=0.05)
        fleet.gate.set()
        with pool.lease() as computer:
            assert computer.screenshot()


def test_closing_while_computers_start_leaves_nothing(fleet: Fleet) -> None:
    fleet.gate.clear()
    pool = Pool(fleet, 3)
    closer = threading.Thread(target=pool.close)
    closer.start()
    fleet.gate.set()
    closer.join(PATIENCE)
    assert not closer.is_alive()


def test_closing_wakes_those_who_wait(fleet: Fleet) -> None:
    fleet.gate.clear()
    pool = Pool(fleet, 1)
    outcome: list[BaseException] = []

    def wait() -> None:
        try:
            with pool.lease():
                pass
        except SpecError as error:
            outcome.append(error)

    waiter = threading.Thread(target=wait)
    waiter.start()
    closer = threading.Thread(target=pool.close)
    closer.start()
    waiter.join(PATIENCE)
    fleet.gate.set()
    closer.join(PATIENCE)
    assert "closed" in str(outcome[0])


def test_a_closed_pool_lends_nothing_and_may_be_closed_again(fleet: Fleet) -> None:
    pool = Pool(fleet, 1)
    pool.close()
    pool.close()
    with pytest.raises(SpecError, match="closed"), pool.lease():
        pass


def test_a_lease_may_outlive_the_pool(fleet: Fleet) -> None:
    pool = Pool(fleet, 1)
    with pool.lease() as computer:
        pool.close()
        assert computer.screenshot()
    with pytest.raises(ComputerError, match="closed"):
        computer.screenshot()


def test_errors_while_closing_are_not_lost(fleet: Fleet) -> None:
    class Stubborn(FakeComputer):
        def close(self) -> None:
            super().close()
            raise ComputerError("a mount remained")

    pool = Pool(Stubborn, 1)
    with pool.lease():
        pass
    with pytest.raises(ComputerError, match="a mount remained"):
        pool.close()


def test_many_threads_share_a_pool(fleet: Fleet) -> None:
    seen: list[FakeComputer] = []
    with Pool(fleet, 2) as pool:

        def work() -> None:
            for _ in range(5):
                with pool.lease() as computer:
                    computer.write_file("mine", b"x")
                    seen.append(computer)  # type: ignore[arg-type]

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(PATIENCE)
    assert len(seen) == len(set(map(id, seen))) == 20


@pytest.mark.parametrize("size", [0, -1])
def test_odd_sizes_are_refused(size: int) -> None:
    with pytest.raises(SpecError, match="size"):
        Pool(FakeComputer, size)
