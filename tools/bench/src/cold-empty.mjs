// Nothing: what an import costs by itself.
