"""The memory page: what is remembered, as a picture and as a list, each fact with its source, changed by hand."""
