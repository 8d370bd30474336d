rooms(messages ROOMS low high)
