import AtRestCrypto

/// The code of the error that a piece of work throws, or nil where it throws none of ours.
func code(_ body: () throws -> Void) -> AtRestError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? AtRestError)?.code
  }
}
