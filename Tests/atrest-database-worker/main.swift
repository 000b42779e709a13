// Runs SQL on an encrypted database: one statement per line of standard input. The answer to each line
// is its rows, and then a line with a period, or with an exclamation mark and an error.
//
//   atrest-database-worker FILE KEY     KEY: 64 hexadecimal digits, a passphrase, or -
//
// With -, the file is in plaintext. ATREST_RECORDING names a file for a recording of all writes.
//
// Three lines are no SQL: `.attach FILE` attaches another database with the same key, under the name `attached`.
// With a recording, `.kill N` kills the process before the N-th of the writes that follow, and `.full N` makes the
// disk full from that write on.

import AtRestCrypto
import AtRestDatabase
import CAtRestRecorder
import Foundation
import GRDB

func bytes(of digits: String) -> SecretBytes? {
  let numbers = stride(from: 0, to: digits.utf8.count, by: 2).map {
    UInt8(String(Array(digits)[$0..<min($0 + 2, digits.count)]), radix: 16)
  }
  guard digits.count == 64, !numbers.contains(nil) else { return nil }
  return SecretBytes(Data(numbers.compactMap { $0 }))
}

func answer(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

let arguments = CommandLine.arguments
let recording = ProcessInfo.processInfo.environment["ATREST_RECORDING"]
if let recording, atrest_record_writes(recording) != 0 { exit(2) }
do {
  let key: DatabaseKey
  if let raw = bytes(of: arguments[2]) {
    key = try .raw(raw)
  } else {
    key = .passphrase(SecretBytes(utf8: arguments[2]))
  }
  var configuration = Configuration()
  configuration.busyMode = .timeout(30)
  configuration.allowsUnsafeTransactions = true
  let queue =
    if arguments[2] == "-" {
      try DatabaseQueue(path: arguments[1], configuration: configuration)
    } else {
      try EncryptedDatabase.openQueue(
        at: URL(fileURLWithPath: arguments[1]), key: key, creating: true,
        configuration: configuration)
    }
  answer(".")
  while let line = readLine() {
    do {
      let rows = try queue.unsafeReentrantWrite { db -> [Row] in
        let words = line.split(separator: " ", maxSplits: 1)
        switch words.first {
        case ".attach":
          try EncryptedDatabase.attach(
            URL(fileURLWithPath: String(words[1])), as: "attached", key: key, creating: true, to: db
          )
        case ".full": atrest_record_full(Int32(words[1]) ?? 0)
        case ".kill": atrest_record_kill(Int32(words[1]) ?? 0)
        default: return try Row.fetchAll(db, sql: line)
        }
        return []
      }
      for row in rows {
        answer(
          row.databaseValues.map { $0.storage.value.map { "\($0)" } ?? "" }.joined(separator: "|"))
      }
      if recording != nil { atrest_record_mark() }
      answer(".")
    } catch {
      answer("! \(error)")
    }
  }
} catch {
  answer("! \(error)")
  exit(1)
}
