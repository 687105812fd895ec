"""Types that the service itself makes: nested stacks, signals, extensions, custom resources."""
