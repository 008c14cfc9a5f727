"""The front-end for x86-64 ELF files: executables and functions of shared libraries, without their source.

The real dynamic linker loads the target in a process of its own, and its code is emulated from there. Instructions that
touch the input are lifted into expressions; all others run at full speed. Native runs confirm what is found.
"""
