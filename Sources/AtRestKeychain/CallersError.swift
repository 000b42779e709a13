/// An error of the caller's code, on its way through the database.
struct CallersError: Error {
  let error: any Error
}
