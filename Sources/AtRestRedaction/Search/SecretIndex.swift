import AtRestCrypto
@_spi(Tools) import AtRestSecrets
import Foundation

/// The needles of all registered secrets, in each form in which a program may write them.
struct SecretIndex: KnownBytes, Sendable {
  /// Secrets as they were registered.
  private(set) var exact: Needles
  /// Secrets that are found in any case, with their ASCII letters in lower case.
  private(set) var folded: Needles
  private var registrations: [Data: Int] = [:]
  private let key = SecretBox(.random(count: 32))

  /// Creates an index for secrets of a number of bytes or more, 8 at the most.
  init(shortest: Int) {
    exact = Needles(window: shortest)
    folded = Needles(window: shortest)
  }

  /// The number of different secrets.
  var count: Int { registrations.count }
  var isEmpty: Bool { registrations.isEmpty }
  var shortest: Int { exact.window }

  mutating func insert(_ bytes: UnsafeRawBufferPointer, ignoringCase: Bool) {
    let code = code(bytes, ignoringCase)
    registrations[code, default: 0] += 1
    guard registrations[code] == 1 else { return }
    SecretForms.forEach(of: bytes) { form in
      if ignoringCase {
        SecretForms.forEachCase(of: form) { folded.insert($0) }
      } else {
        exact.insert(form)
      }
    }
  }

  mutating func remove(_ bytes: UnsafeRawBufferPointer, ignoringCase: Bool) {
    let code = code(bytes, ignoringCase)
    guard let known = registrations[code] else { return }
    registrations[code] = known > 1 ? known - 1 : nil
    guard known == 1 else { return }
    SecretForms.forEach(of: bytes) { form in
      if ignoringCase {
        SecretForms.forEachCase(of: form) { folded.remove($0) }
      } else {
        exact.remove(form)
      }
    }
  }

  private func code(_ bytes: UnsafeRawBufferPointer, _ ignoringCase: Bool) -> Data {
    key.bytes.authenticationCode(for: bytes) + [ignoringCase ? 1 : 0]
  }

  /// Calls a closure with the range of each secret, or part of a secret, in the given bytes.
  func find(in bytes: [UInt8], _ found: (Range<Int>) -> Void) {
    exact.find(in: bytes, found)
    if !folded.isEmpty { folded.find(in: bytes.map(\.lowercased), found) }
  }
}

/// A state of the index, for searches without a lock.
final class SecretSnapshot: Sendable {
  let index: SecretIndex
  private let exact: Screen
  private let folded: Screen?

  init(_ index: SecretIndex) {
    self.index = index
    exact = Screen(index.exact, folds: false)
    folded =
      index.folded.isEmpty ? nil : Screen(index.folded, folds: true)
  }

  /// Returns false if there is nothing to withhold in a text.
  func mayHold(_ text: UnsafeBufferPointer<UInt8>, _ patterns: RedactionPatterns) -> Bool {
    exact.mayHold(text, patterns) || folded?.mayHold(text, []) == true
  }
}
