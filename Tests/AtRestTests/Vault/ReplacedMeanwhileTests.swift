import AtRest
import Foundation
import Testing

/// A value that is replaced while it is read is either the old or the new one, and not damaged.
@Suite struct ReplacedMeanwhileTests {
  @Test func isReadAsItIsThen() throws {
    let test = try TestVault()
    nonisolated(unsafe) var replace: (() throws -> Void)?
    test.options.passphraseLifetime = .zero
    test.options.askPassphrase = { _ in
      let now = replace
      replace = nil
      try now?()
      return phrase()
    }
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Data(repeating: 1, count: 20_000), in: .genome)
    replace = { try eva.store(Data(repeating: 2, count: 20_000), in: .genome) }
    #expect(try eva.value(in: .genome) == Data(repeating: 2, count: 20_000))
    replace = { try eva.remove(VaultRecord<Data>.genome) }
    expect(.notFound) { _ = try eva.value(in: .genome) }
  }

  @Test func goesOnceOnlyWhereItGoesOnce() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    for number in 0..<20 {
      let count = number % 2 == 0 ? 100 : 20_000
      try eva.store(
        Data(count: count), in: VaultRecord("report", .document, keep: Retention(uses: 1)))
      let copies = (0..<4).map { test.folder.appendingPathComponent("copy-\(number)-\($0)") }
      DispatchQueue.concurrentPerform(iterations: copies.count) {
        try? eva.copy(.report, to: .file(copies[$0]))
      }
      #expect(copies.filter { FileManager.default.fileExists(atPath: $0.path) }.count == 1)
    }
  }
}
