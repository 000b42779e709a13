import CAtRestSystem

/// Erases the traces of operations on keys and secrets: memory blocks that libraries free without
/// overwriting them, vector registers, and the stack below the caller.
///
/// Every operation of this module that handles a key or a secret runs inside
/// ``erased(after:freed:_:)``. Calls may be nested: the outermost call clears the registers and the
/// stack once, as far down as any nested call reached. ``SecretBytes`` does the same after each use
/// of its bytes, to erase copies that the caller made.
package enum Remains {
  /// The kinds of operations, by the traces they leave.
  package struct Kind: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// AES-GCM: swift-crypto frees its AEAD context without erasing it. The context holds the key
    /// schedule, which begins with the key.
    package static let gcm = Kind(rawValue: 1)
    /// AES Key Wrap, AES-CBC and AES-CTR: the key schedule is on the stack or in an object.
    package static let cipher = Kind(rawValue: 2)
    /// HMAC and HKDF: the key is padded to a block in arrays, which are freed without being erased,
    /// and the states of SHA-256 have the last block of the message, which in HKDF is the root key.
    package static let mac = Kind(rawValue: 4)
    /// Key pairs and password KDFs, which use more of the stack.
    package static let deep = Kind(rawValue: 8)
  }

  /// 16 bytes of header and BoringSSL's `EVP_AEAD_CTX`.
  private static let gcmContext = 592
  /// 16 bytes of header and BoringSSL's `AES_KEY`.
  private static let keySchedule = 260
  /// 32 bytes of header and a block of SHA-256.
  private static let paddedKey = 96
  /// 16 bytes of header and BoringSSL's `SHA256_CTX`. swift-crypto 4.5 means to erase it, but erases
  /// only as many bytes as a pointer has.
  private static let digestState = 128

  /// Runs an operation and erases its traces.
  ///
  /// - Parameters:
  ///   - kind: The kinds of operations that `body` consists of.
  ///   - size: The size, in bytes, of another block that `body` frees without overwriting it, or 0.
  @inline(__always)
  package static func erased<Result: ~Copyable, Failure: Error>(
    after kind: Kind, freed size: Int = 0, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    prepare(kind, size)
    atrest_begin_operation()
    defer { erase(kind, size) }
    return try body()
  }

  /// Runs a password KDF and erases its traces. swift-crypto derives the key into a `Data`, for which
  /// Foundation allocates a quarter more, and frees it without erasing it.
  ///
  /// - Parameter count: The size of the derived key, in bytes.
  @inline(__always)
  static func erased<Result: ~Copyable, Failure: Error>(
    afterDeriving count: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try erased(after: .deep, freed: count + count / 4, body)
  }

  /// Erases the traces left by copying a secret. Inside an operation, this method does nothing,
  /// because the end of the operation erases all traces.
  @inline(__always)
  static func eraseCopies() {
    atrest_begin_operation()
    atrest_end_operation(8_192)
  }

  @inline(never)
  private static func prepare(_ kind: Kind, _ size: Int) {
    forEachFreed(by: kind, atrest_fill_cache)
    if size > 0 { atrest_fill_cache(size) }
  }

  @inline(never)
  private static func erase(_ kind: Kind, _ size: Int) {
    forEachFreed(by: kind, atrest_erase_cached)
    if size > 0 { atrest_erase_cached(size) }
    atrest_end_operation(kind.contains(.deep) ? 32_768 : 8_192)
  }

  @inline(__always)
  private static func forEachFreed(by kind: Kind, _ body: (Int) -> Void) {
    if kind.contains(.gcm) { body(gcmContext) }
    if kind.contains(.cipher) { body(keySchedule) }
    if kind.contains(.mac) {
      body(paddedKey)
      body(digestState)
    }
  }
}
