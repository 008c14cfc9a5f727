"""Networks, replay memory and training loops; only ``rules`` and ``learner`` do not import the learning libraries."""
