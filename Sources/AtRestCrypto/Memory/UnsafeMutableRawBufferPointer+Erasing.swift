import CAtRestSystem

@_spi(Tools) extension UnsafeMutableRawBufferPointer {
  /// Overwrites the bytes with zeros, which the optimiser cannot remove.
  public func erase() {
    if let baseAddress { atrest_erase(baseAddress, count) }
  }
}
