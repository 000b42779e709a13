import AtRestCrypto

extension UnsafeMutableRawBufferPointer {
  /// Copies the contents of a protected file, and leaves no copy in registers or on the stack.
  func copyPlaintext(from bytes: UnsafeRawBufferPointer) {
    Remains.erased(after: []) { copyMemory(from: bytes) }
  }
}
