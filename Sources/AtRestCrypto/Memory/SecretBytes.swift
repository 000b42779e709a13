import CAtRestSystem
import Crypto
import Foundation

/// Secret bytes in locked memory, erased when their owner releases them.
///
/// The value cannot be copied by accident (`~Copyable`), and it has no description that shows the
/// bytes. The memory is kept out of swap and core dumps if the system supports this. If some of it
/// could not be locked, the `risks` of a store say so.
///
/// ```swift
/// let secret = SecretBytes(utf8: "open sesame")
/// secret.withUnsafeBytes { bytes in send(bytes) }
/// ```
///
/// On Linux, a child process that was forked without `exec` finds zeros in place of the bytes. The
/// child stops when it uses a secret from before the fork, because it would otherwise encrypt under
/// a key that everybody knows. Open stores after the fork.
///
/// The type is `Sendable`, because the bytes never change after initialisation.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  /// The number of bytes.
  public let count: Int
  /// The number of the process that created the bytes.
  private let process: UInt64

  /// Creates secret bytes of a given count, which a closure fills in.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - fill: A closure that receives the zeroed locked memory, once.
  /// - Throws: The error that `fill` throws. The memory is erased in that case.
  public init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(count >= 0, "A secret cannot have \(count) bytes.")
    base = LockedMemory.allocate(count)
    self.count = count
    process = atrest_process_number()
    defer { Remains.eraseCopies() }
    try fill(UnsafeMutableRawBufferPointer(start: base, count: count))
  }

  /// Copies bytes into locked memory. The caller must erase the original.
  public init(copying bytes: UnsafeRawBufferPointer) {
    self.init(slot: Slot(copying: bytes))
  }

  /// Copies bytes into locked memory. The caller must erase the original.
  public init(_ bytes: some ContiguousBytes) {
    self.init(slot: bytes.withUnsafeBytes { Slot(copying: $0) })
  }

  /// Copies the UTF-8 bytes of a string into locked memory.
  public init(utf8 string: String) {
    var string = string
    self.init(slot: string.withUTF8 { Slot(copying: UnsafeRawBufferPointer($0)) })
  }

  /// Moves bytes into locked memory and erases the original.
  ///
  /// The original is erased in place only if `data` is the only reference to its storage.
  public init(erasing data: inout Data) {
    self.init(data)
    data.withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
    }
    data = Data()
  }

  /// Returns random bytes from the system's generator.
  public static func random(count: Int) -> SecretBytes {
    SecretBytes(count: count) { RandomBytes.fill($0) }
  }

  deinit { LockedMemory.release(base, count) }

  /// Calls a closure with the bytes. The closure must not keep the pointer.
  public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard process == atrest_process_number() else {
      fatalError(
        "A forked process used a secret of its parent. Open stores after the fork.")
    }
    // The closure does not run inside an operation: it may take long, and operations that are
    // nested in it would not erase their traces until it ends.
    defer { Remains.eraseCopies() }
    return try body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Returns a second copy in locked memory.
  public borrowing func duplicate() -> SecretBytes {
    withUnsafeBytes { SecretBytes(copying: $0) }
  }

  /// Returns true if both values hold the same bytes. The time depends only on the number of bytes.
  public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
    withUnsafeBytes { mine in other.withUnsafeBytes { constantTimeEqual(mine, $0) } }
  }

  /// True if all bytes are zero. The time depends only on their count.
  package var isZero: Bool {
    withUnsafeBytes { bytes in bytes.reduce(0, |) == 0 }
  }

  /// The bytes as swift-crypto's key type, whose memory is erased on release but is not locked.
  package borrowing func symmetricKey() -> SymmetricKey {
    withUnsafeBytes { SymmetricKey(data: $0) }
  }

  package init(_ key: SymmetricKey) {
    self.init(slot: key.withUnsafeBytes { Slot(copying: $0) })
  }

  // Carries the memory out of closures that cannot return a noncopyable value.
  private struct Slot {
    let base: UnsafeMutableRawPointer
    let count: Int

    init(copying bytes: UnsafeRawBufferPointer) {
      defer { Remains.eraseCopies() }
      base = LockedMemory.allocate(bytes.count)
      count = bytes.count
      UnsafeMutableRawBufferPointer(start: base, count: count).copyMemory(from: bytes)
    }
  }

  private init(slot: Slot) {
    base = slot.base
    count = slot.count
    process = atrest_process_number()
  }
}

extension Data {
  /// Copies a secret out of locked memory. The caller must protect and erase the copy.
  public init(copying secret: borrowing SecretBytes) {
    self = secret.withUnsafeBytes { Data($0) }
  }
}

extension String {
  /// Copies a secret out of locked memory as text. The result is nil if the bytes are not valid
  /// UTF-8.
  public init?(copying secret: borrowing SecretBytes) {
    let string = secret.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    guard let string else { return nil }
    self = string
  }
}

/// Returns true if two byte ranges are equal. The time depends only on their count.
public func constantTimeEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  var difference: UInt8 = 0
  for index in 0..<a.count { difference |= a[index] ^ b[index] }
  return difference == 0
}
