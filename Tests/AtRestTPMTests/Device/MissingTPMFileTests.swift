import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// The answer of a store to each file of a device in a TPM that is missing, is empty, or is older:
/// `docs/Architecture.md`, *When a file is missing*.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct MissingTPMFileTests {
  enum Loss: String, CaseIterable {
    case missing, empty, older
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let codes: [Loss: AtRestError.Code]
    var testDescription: String { file }
  }

  static let rows = [
    // The sealed key does not change with the store, so an older file is the same.
    Row(file: "device.tpm", codes: [.missing: .deviceMissing, .empty: .damaged]),
    Row(file: "anchor", codes: [.missing: .damaged, .empty: .damaged, .older: .rolledBack]),
    Row(
      file: "STORE.keybag", codes: [.missing: .rolledBack, .empty: .damaged, .older: .rolledBack]),
    // The count is then assumed to be the worst.
    Row(
      file: "STORE.attempts",
      codes: [.missing: .throttled, .empty: .throttled, .older: .throttled]),
  ]

  @Test(arguments: rows, Loss.allCases)
  func theAnswerIsTheOneInTheTable(_ row: Row, _ loss: Loss) throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let before = try store.copy()
    try keybag.change(DeviceStore.passcode, "another horse 43")
    let name =
      "device/tpm/"
      + row.file.replacingOccurrences(of: "STORE", with: keybag.identity.text)
    keybag.close()
    let file = store.folder.appendingPathComponent(name)
    #expect(FileManager.default.fileExists(atPath: file.path))
    try FileManager.default.removeItem(at: file)
    switch loss {
    case .missing: break
    case .empty:
      #expect(
        FileManager.default.createFile(
          atPath: file.path, contents: Data(), attributes: [.posixPermissions: 0o600]))
    case .older:
      try FileManager.default.copyItem(at: before.appendingPathComponent(name), to: file)
    }
    let error = refusal {
      guard try DeviceRoot.present(in: store.deviceFolder) == .tpm else { return }
      try store.open().unlock("another horse 43")
    }
    #expect(error?.code == row.codes[loss])
  }
}
