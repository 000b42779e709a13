@_spi(Tools) import AtRestCrypto
import CommonCrypto
import Crypto
import CryptoExtras
import Foundation

/// A running encryption or decryption with AES, which buffers incomplete blocks.
final class Cryptor {
  private static let blockCount = 16

  /// A status that a call returns.
  struct Failure: Error {
    let status: Int

    init(_ status: Int, _ function: String, _ reason: String) {
      self.status = status
      CommonCryptoLog.refuse(function, reason)
    }
  }

  private let isEncrypting: Bool
  private let mode: Int
  private let isPadded: Bool
  private let key: SymmetricKey
  /// The last block of ciphertext in CBC, and the counter in CTR.
  private var chain: [UInt8]
  /// The bytes that wait for the rest of their block. In CTR, the rest of the key stream.
  private var pending: [UInt8] = []

  /// Checks the arguments in the order of Apple's source (CommonCryptor.c, lines 106 to 198 and 472).
  init(
    _ function: String, operation: CCOperation, mode: CCMode, algorithm: CCAlgorithm,
    padding: CCPadding, iv: UnsafeRawPointer?, key: UnsafeRawPointer?, keyCount: Int
  ) throws {
    guard let key else { throw Failure(kCCParamError, function, "the key is NULL") }
    guard Int(algorithm) <= kCCAlgorithmBlowfish, Int(operation) <= kCCDecrypt else {
      throw Failure(kCCParamError, function, "the operation or the algorithm is unknown")
    }
    guard Int(algorithm) == kCCAlgorithmAES else {
      throw Failure(
        kCCUnimplemented, function,
        "\(Self.names[Int(algorithm)]) is not implemented, because swift-crypto has only AES. "
          + "Decrypt old data with another library, and encrypt it anew")
    }
    guard [kCCModeECB, kCCModeCBC, kCCModeCTR].contains(Int(mode)) else {
      let known = [kCCModeCFB, kCCModeOFB, kCCModeRC4, kCCModeCFB8].contains(Int(mode))
      throw Failure(
        known ? kCCUnimplemented : kCCParamError, function,
        "mode \(mode) is not implemented. Use CBC, CTR or ECB")
    }
    guard [kCCKeySizeAES128, kCCKeySizeAES192, kCCKeySizeAES256].contains(keyCount) else {
      throw Failure(
        kCCKeySizeError, function, "an AES key has 16, 24 or 32 bytes, not \(keyCount)")
    }
    isEncrypting = Int(operation) == kCCEncrypt
    self.mode = Int(mode)
    isPadded = Int(padding) == ccPKCS7Padding && Int(mode) != kCCModeCTR
    self.key = SymmetricKey(data: UnsafeRawBufferPointer(start: key, count: keyCount))
    chain = Self.vector(iv)
  }

  deinit { forget() }

  private func forget() {
    pending.withUnsafeMutableBytes { $0.erase() }
    pending = []
  }

  private static let names = ["AES", "DES", "3DES", "CAST", "RC4", "RC2", "Blowfish"]

  private static func vector(_ iv: UnsafeRawPointer?) -> [UInt8] {
    iv.map { Array(UnsafeRawBufferPointer(start: $0, count: blockCount)) }
      ?? Array(repeating: 0, count: blockCount)
  }

  /// Begins anew with another initialization vector.
  func reset(_ iv: UnsafeRawPointer?) -> Int {
    guard mode != kCCModeECB else { return kCCUnimplemented }
    chain = Self.vector(iv)
    forget()
    return kCCSuccess
  }

  // MARK: Sizes

  /// Returns the number of bytes that ``update(_:)`` returns for an input, or with `isFinal` the most
  /// that it and ``finish(in:)`` return together.
  func outputCount(_ count: Int, isFinal: Bool) -> Int {
    guard mode != kCCModeCTR else { return count }
    let total = pending.count + count
    let block = Self.blockCount
    guard isPadded else { return total / block * block }
    return switch (isFinal, isEncrypting) {
    case (true, true): (total + block) / block * block
    case (true, false): total
    case (false, true): total / block * block
    // The last block is kept back, because it contains the padding.
    case (false, false): max(0, total - 1) / block * block
    }
  }

  // MARK: Data

  func update(_ data: UnsafeRawBufferPointer) throws -> Data {
    guard mode != kCCModeCTR else {
      return try Remains.erased(after: .cipher) { try count(data) }
    }
    let ready = outputCount(data.count, isFinal: false)
    pending.append(contentsOf: data)
    defer {
      pending.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[..<ready]).erase()
      }
      pending.removeFirst(ready)
    }
    return try Remains.erased(after: .cipher) {
      try pending[..<ready].withUnsafeBytes { try transform($0) }
    }
  }

  /// Returns the last bytes, or nil if more than the available bytes are needed. Nothing changes then.
  ///
  /// As in Apple's source, decryption looks at the last byte of the padding only, and leaves a block
  /// whose padding is invalid as it is. The status therefore does not tell whether the key was right.
  func finish(in available: Int) throws -> Data? {
    let block = Self.blockCount
    guard mode != kCCModeCTR, isPadded && isEncrypting || !pending.isEmpty else {
      forget()
      return Data()
    }
    guard isPadded, isEncrypting || pending.count == block else {
      throw Failure(
        kCCAlignmentError, "CCCryptorFinal", "the data is not a multiple of 16 bytes")
    }
    let before = chain
    var last = pending
    defer { last.withUnsafeMutableBytes { $0.erase() } }
    if isEncrypting {
      let count = block - last.count
      last.append(contentsOf: repeatElement(UInt8(count), count: count))
    }
    var output = try Remains.erased(after: .cipher) {
      try last.withUnsafeBytes { try transform($0) }
    }
    let count = isEncrypting ? 0 : Int(output[output.endIndex - 1])
    if (1...block).contains(count) { output.removeLast(count) }
    guard output.count <= available else {
      chain = before
      return nil
    }
    forget()
    return output
  }

  /// Encrypts or decrypts whole blocks.
  private func transform(_ blocks: UnsafeRawBufferPointer) throws -> Data {
    guard !blocks.isEmpty else { return Data() }
    let block = Self.blockCount
    guard mode == kCCModeCBC else {
      var output = Data(blocks)
      for start in stride(from: 0, to: output.count, by: block) {
        try isEncrypting
          ? AES.permute(&output[start..<start + block], key: key)
          : AES.inversePermute(&output[start..<start + block], key: key)
      }
      return output
    }
    let iv = try AES._CBC.IV(ivBytes: chain)
    var input = Data(blocks)
    defer { input.resetBytes(in: input.startIndex..<input.endIndex) }
    let output =
      isEncrypting
      ? try AES._CBC.encrypt(input, using: key, iv: iv, noPadding: true)
      : try AES._CBC.decrypt(input, using: key, iv: iv, noPadding: true)
    chain = Array((isEncrypting ? output : input).suffix(block))
    return output
  }

  /// Encrypts or decrypts bytes in counter mode.
  private func count(_ data: UnsafeRawBufferPointer) throws -> Data {
    var output = Data(data)
    let used = min(pending.count, output.count)
    for index in 0..<used { output[index] ^= pending[index] }
    pending.removeFirst(used)
    guard used < output.count else { return output }
    let rest = output.count - used
    let blocks = (rest + Self.blockCount - 1) / Self.blockCount
    let stream = try AES._CTR.encrypt(
      Data(count: blocks * Self.blockCount), using: key, nonce: AES._CTR.Nonce(nonceBytes: chain))
    advanceCounter(by: blocks)
    for index in 0..<rest { output[used + index] ^= stream[index] }
    pending = Array(stream[rest...])
    return output
  }

  /// Adds to the counter, a big-endian number of 128 bits.
  private func advanceCounter(by blocks: Int) {
    var rest = blocks
    for index in chain.indices.reversed() {
      rest += Int(chain[index])
      chain[index] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }
}
