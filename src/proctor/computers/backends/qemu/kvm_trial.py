"""Has the processor run a small guest through KVM, to see that it does and how fast.

A program of its own. Where a virtual machine's host lets it have /dev/kvm without the processor's help, everything
works and is slower than emulation. The guest counts down, touching memory on the way; whoever starts this gives it a
time.
"""

import ctypes
import fcntl
import mmap
import os
import struct
import sys

CREATE_VM, MMAP_SIZE, CREATE_VCPU, RUN = 0xAE01, 0xAE04, 0xAE41, 0xAE80
SET_MEMORY, SET_REGS, GET_SREGS, SET_SREGS = 0x4020AE46, 0x4090AE82, 0x8138AE83, 0x4138AE84
SREGS_BYTES = 0x138
MEMORY_BYTES = 1 << 20
HALTED = 5
TURNS = 5_000_000
CODE = bytes.fromhex("66 89 c8 a2 00 20 66 49 75 f6 f4")
"""again: mov eax, ecx; mov [0x2000], al; dec ecx; jnz again; hlt"""


def main() -> None:
    """Run the guest to its end; exit status 0 when it halted as it should."""
    device = os.open("/dev/kvm", os.O_RDWR)
    machine = fcntl.ioctl(device, CREATE_VM, 0)
    memory = mmap.mmap(-1, MEMORY_BYTES)
    memory[0x1000 : 0x1000 + len(CODE)] = CODE
    where = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    fcntl.ioctl(machine, SET_MEMORY, struct.pack("=IIQQQ", 0, 0, 0, MEMORY_BYTES, where))
    processor = fcntl.ioctl(machine, CREATE_VCPU, 0)
    shared = mmap.mmap(processor, fcntl.ioctl(device, MMAP_SIZE, 0))
    state = bytearray(SREGS_BYTES)
    fcntl.ioctl(processor, GET_SREGS, state)
    state[0:10] = bytes(10)  # the code segment's base and the low half of its limit
    struct.pack_into("=QIH", state, 0, 0, 0xFFFF, 0)
    fcntl.ioctl(processor, SET_SREGS, bytes(state))
    registers = [0] * 18
    registers[2], registers[16], registers[17] = TURNS, 0x1000, 2  # rcx, rip, rflags
    fcntl.ioctl(processor, SET_REGS, struct.pack("=18Q", *registers))
    fcntl.ioctl(processor, RUN, 0)
    (reason,) = struct.unpack_from("=I", shared, 8)
    sys.exit(0 if reason == HALTED else 3)


if __name__ == "__main__":
    main()
