import AtRestFormats

/// A place in the code that stores a value under a name, sensitive or not.
///
/// A write becomes part of a report only if its value is found in a container.
public struct StorageWrite: Hashable, Sendable {
  public let slot: StorageSlot
  public let location: Location

  /// Creates a write with the place that it stores to, and its location in the code.
  public init(_ slot: StorageSlot, at location: Location) {
    self.slot = slot
    self.location = location
  }
}
