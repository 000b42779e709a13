import AtRestCrypto
import AtRestDatabase
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB

/// A database, opened and used as the requests say.
struct Session {
  private var queue: DatabaseQueue?

  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  mutating func execute(_ request: Request, answer: (Answer) throws -> Void) throws {
    switch request.do {
    case .open:
      try open(request)
      try answer(Answer(rows: []))
    case .run:
      try answer(Answer(rows: try run(request.sql?.statements.first ?? "")))
    case .loop:
      for number in 1...max(1, request.count ?? 0) {
        for statement in request.sql?.statements ?? [] {
          _ = try run(statement.replacingOccurrences(of: "{n}", with: "\(number)"))
        }
        try answer(Answer(done: number))
      }
    case .copy:
      guard let queue else { throw Unusable(description: "no database is open") }
      if let path = request.from { try DatabaseQueue(path: path).backup(to: queue) }
      if let path = request.to { try queue.backup(to: DatabaseQueue(path: path)) }
      try answer(Answer(rows: []))
    case .close:
      try queue?.close()
      queue = nil
      try answer(Answer(rows: []))
    case .rekey:
      var format = DatabaseFormat.sqlcipher4
      if let rounds = request.options?.iterations { format.rounds = rounds }
      try EncryptedDatabase.rekey(
        at: URL(fileURLWithPath: request.path ?? ""), key: try key(request.key ?? "", salt: nil),
        format: format, to: try key(request.to ?? request.key ?? "", salt: nil))
      try answer(Answer(rows: []))
    case .passphrase:
      try EncryptedDatabase.changePassphrase(
        ofKeyFile: URL(fileURLWithPath: request.path ?? ""),
        from: SecretBytes(utf8: request.from ?? ""), to: SecretBytes(utf8: request.to ?? ""),
        kdf: .pbkdf2SHA512())
      try answer(Answer(rows: []))
    case .end:
      kill(getpid(), SIGKILL)
    }
  }

  private mutating func open(_ request: Request) throws {
    guard let path = request.path else { throw Unusable(description: "the path is missing") }
    let options = request.options ?? Request.Options()
    let formats: [DatabaseFormat] = [.sqlcipher1, .sqlcipher2, .sqlcipher3, .sqlcipher4]
    let named = ["be": DatabaseFormat.sqlcipher2BigEndian, "beta": .sqlcipher2Beta]
    var format =
      options.format.flatMap { named[$0] } ?? formats[(options.compatibility ?? 4) - 1]
    if let size = options.pageSize { format.pageSize = size }
    if let rounds = options.iterations { format.rounds = rounds }
    format.hasPlaintextHeader = options.plaintextHeader == 32
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    configuration.allowsUnsafeTransactions = true
    guard let text = request.key else {
      queue = try DatabaseQueue(path: path, configuration: configuration)
      return
    }
    queue = try EncryptedDatabase.openQueue(
      at: URL(fileURLWithPath: path), key: try key(text, salt: options.salt), format: format,
      creating: true, configuration: configuration)
  }

  private func key(_ text: String, salt: String?) throws -> DatabaseKey {
    let salt = try salt.map(bytes)
    // A key file and its passphrase, or the folders of a store without a passcode and an item.
    let parts = text.split(separator: "|").map(String.init)
    if parts.first == "file", parts.count == 3 {
      return .keyFile(
        URL(fileURLWithPath: parts[1]), passphrase: SecretBytes(utf8: parts[2]),
        kdf: .pbkdf2SHA512())
    }
    if parts.first == "item", parts.count == 4 {
      let device = try FileDeviceKey.openOrCreate(in: URL(fileURLWithPath: parts[2]))
      let store = URL(fileURLWithPath: parts[1])
      let keybag =
        FileManager.default.fileExists(atPath: store.appendingPathComponent("keybag").path)
        ? try Keybag.open(at: store, device: device) : try Keybag.create(at: store, device: device)
      if keybag.lockState != .unlocked { try keybag.unlock() }
      return .item(
        parts[3], in: try Keychain.open(keybag, identity: .owner(), usesAgent: false))
    }
    guard text.hasPrefix("x'"), text.hasSuffix("'") else {
      return .passphrase(SecretBytes(utf8: text), salt: salt)
    }
    return try .raw(SecretBytes(try bytes(String(text.dropFirst(2).dropLast())) + (salt ?? Data())))
  }

  private func bytes(_ digits: String) throws -> Data {
    let digits = Array(digits)
    let bytes = try stride(from: 0, to: digits.count - 1, by: 2).map { index in
      guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else {
        throw Unusable(description: "digits are not hexadecimal")
      }
      return byte
    }
    return Data(bytes)
  }

  private func run(_ sql: String) throws -> [[String?]] {
    guard let queue else { throw Unusable(description: "no database is open") }
    return try queue.unsafeReentrantWrite { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { value in
          switch value.storage {
          case .null: nil
          case .int64(let number): "\(number)"
          case .double(let number): "\(number)"
          case .string(let text): text
          case .blob(let data): String(decoding: data, as: UTF8.self)
          }
        }
      }
    }
  }
}
