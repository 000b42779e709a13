/// An object that keeps a value in memory until a lock of the store or the end of its compartment.
protocol ValueCache: AnyObject, Sendable {
  /// Erases the value from memory.
  func forget()
}
