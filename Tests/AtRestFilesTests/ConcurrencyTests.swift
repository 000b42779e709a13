import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// One store's files are used from many tasks at once. `make race` runs this under the thread
/// sanitizer.
@Suite struct ConcurrencyTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["ATREST_RACE_CALLS"].flatMap { Int($0) }.map { $0 / 200 }
    ?? 8

  @Test func tasksWithTheirOwnFilesDoNotMix() async throws {
    let folder = try TestFolder()
    let files = folder.files
    let names = (0..<8).map { folder.path("own-\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (task, url) in names.enumerated() {
        group.addTask {
          for round in 0..<Self.rounds {
            let data = TestFolder.bytes(3_000 + round, seed: UInt8(task))
            try files.write(data, to: url)
            #expect(try files.read(url) == data)
            try files.setProtection(round.isMultiple(of: 2) ? .complete : .none, of: url)
            #expect(try files.verify(url).written == UInt64(data.count))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(folder.names == names.map(\.lastPathComponent))
  }

  @Test func oneHandleTakesTheWritesOfAllTasks() async throws {
    let folder = try TestFolder()
    let handle = try folder.files.create(folder.path("shared"))
    let size = 700
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          let place = UInt64(task * size)
          for round in 0..<Self.rounds {
            let data = TestFolder.bytes(size, seed: UInt8(truncatingIfNeeded: task + round))
            try handle.write(data, at: place)
            #expect(try handle.read(upToCount: size, at: place) == data)
            if round.isMultiple(of: 3) { try handle.synchronize() }
          }
        }
      }
      try await group.waitForAll()
    }
    try handle.close()
    let last = Self.rounds - 1
    let expected = (0..<8).map {
      TestFolder.bytes(size, seed: UInt8(truncatingIfNeeded: $0 + last))
    }
    #expect(try await folder.files.read(folder.path("shared")) == expected.reduce(Data(), +))
  }

  @Test func lockingInBetweenNeverGivesAWrongAnswer() async throws {
    let folder = try TestFolder()
    let (files, keybag, url) = (folder.files, folder.keybag, folder.path("locked"))
    let data = TestFolder.bytes(5_000)
    try await files.write(data, to: url, protection: .complete)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<Self.rounds {
          keybag.lock()
          try keybag.unlock(passcode: SecretBytes(utf8: "1234"))
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<(4 * Self.rounds) {
            switch Result(catching: { try files.read(url) }) {
            case .success(let read): #expect(read == data)
            case .failure(let error): #expect((error as? AtRestError)?.code == .locked)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await files.read(url) == data)
  }
}
