/// A device that can list its records.
package protocol ListedDevice {
  /// The names of all records, in no order.
  func names() throws -> [String]
}
