"""Many nights of one cast, decided from one ground program."""
