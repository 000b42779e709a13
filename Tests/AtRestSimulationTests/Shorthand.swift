import AtRestCrypto

/// Returns the code of the `AtRestError` that a closure throws, or nil if it throws none.
func code(_ body: () throws -> Void) -> AtRestError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? AtRestError)?.code
  }
}
