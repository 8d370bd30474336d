// Named by the documents; names none: docs/none.md.
