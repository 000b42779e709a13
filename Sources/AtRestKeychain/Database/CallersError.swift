/// A wrapper around an error that the caller's code threw inside a transaction, which distinguishes
/// the error from errors of the database.
struct CallersError: Error {
  let error: any Error
}
