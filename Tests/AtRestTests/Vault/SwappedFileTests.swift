import AtRest
import Foundation
import Testing

/// A file in place of another one is damage, whatever it is.
@Suite struct SwappedFileTests {
  private func expectDamaged(_ spoil: (URL, URL) throws -> Void) throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(Data(repeating: 1, count: 20_000), in: .report)
    let first = test.folder.appendingPathComponent("values/\(test.valueFiles[0])")
    try eva.store(Data(repeating: 2, count: 20_000), in: VaultRecord("other", .document))
    let second = try #require(
      test.valueFiles.map { test.folder.appendingPathComponent("values/\($0)") }
        .first { $0.lastPathComponent != first.lastPathComponent })
    #expect(try eva.value(in: .report) == Data(repeating: 1, count: 20_000))
    try spoil(first, second)
    expect(.damaged) { _ = try eva.value(in: .report) }
    expect(.damaged) { _ = try eva.open(.report) }
    expect(.damaged) {
      try eva.copy(.report, to: .file(test.folder.appendingPathComponent("copy")))
    }
  }

  @Test func ofAnotherValue() throws {
    try expectDamaged { first, second in
      try FileManager.default.removeItem(at: first)
      try FileManager.default.copyItem(at: second, to: first)
    }
  }

  @Test func ofBytesOrNone() throws {
    try expectDamaged { first, _ in try Data("plain".utf8).write(to: first) }
    try expectDamaged { first, _ in try Data().write(to: first) }
    try expectDamaged { first, _ in try Data(count: 90_000).write(to: first) }
  }

  @Test func ofAFolder() throws {
    try expectDamaged { first, _ in
      try FileManager.default.removeItem(at: first)
      try FileManager.default.createDirectory(at: first, withIntermediateDirectories: false)
    }
  }
}
