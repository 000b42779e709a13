import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Synchronization
import Testing

/// A TPM that is killed at any command leaves a store whole, before or after the operation.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct KilledTPMTests {
  /// Kills the TPM at a command, counted from 0.
  private final class Killer: Sendable {
    let left: Mutex<Int>
    init(at command: Int) { left = Mutex(command) }
    var isDue: Bool {
      left.withLock { left in
        left -= 1
        return left == -1
      }
    }
    var hasKilled: Bool { left.withLock { $0 < 0 } }
  }

  /// Runs an operation again and again, each time with the TPM killed one command later, until it ends
  /// before that. Returns the number of runs in which the TPM was killed.
  private func run(
    prepare: (DeviceStore) throws -> Void = { try $0.create().close() },
    _ operation: (DeviceStore, _ transport: String) throws -> Void,
    check: (DeviceStore) throws -> Void
  ) throws -> Int {
    for command in 0..<200 {
      let store = try DeviceStore()
      try prepare(store)
      let device = store.device
      let killer = Killer(at: command)
      let proxy = TPMProxy(to: device) { _, _ in
        guard killer.isDue else { return .forward }
        device.stop()
        return .cut
      }
      let error = refusal { try operation(store, proxy.transport) }
      guard killer.hasKilled else {
        #expect(error == nil)
        return command
      }
      // A late step of the counter may fail without a word: what was asked for is done.
      if let error {
        #expect(error.code == .deviceUnavailable, "command \(command): \(error)")
      }
      try device.start()
      // A TPM that loses its power just after an authorization counts that as a wrong one.
      try device.tool("tpm2_dictionarylockout", "--clear-lockout")
      try check(store)
    }
    Issue.record("The operation did not end.")
    return 0
  }

  @Test func opening() throws {
    let count = try run(
      { _ = try $0.open($1) }, check: { try $0.open().unlock(DeviceStore.passcode) })
    #expect(count > 5)
  }

  @Test func unlocking() throws {
    let count = try run(
      { store, transport in
        let keybag = try store.open(transport)
        try keybag.unlock(DeviceStore.passcode)
      },
      check: { store in
        let keybag = try store.open()
        #expect(try keybag.failedAttempts() == 0)
        try keybag.unlock(DeviceStore.passcode)
      })
    #expect(count > 10)
  }

  @Test func changingThePasscode() throws {
    let count = try run(
      { try $0.open($1).change(DeviceStore.passcode, "another horse 43") },
      check: { store in
        let keybag = try store.open()
        if refusal({ try keybag.unlock("another horse 43") }) != nil {
          try keybag.unlock(DeviceStore.passcode)
        }
      })
    #expect(count > 15)
  }

  @Test func wiping() throws {
    let count = try run(
      { try $0.open($1).wipe() },
      check: { store in
        do {
          try store.open().unlock(DeviceStore.passcode)
        } catch AtRestError.Code.notFound, AtRestError.Code.wiped {
          // It is wiped.
        }
      })
    #expect(count > 10)
  }

  @Test func creating() throws {
    let count = try run(
      prepare: { _ in }, { _ = try $0.create($1) },
      check: { store in
        if try DeviceRoot.present(in: store.deviceFolder) == nil {
          try store.create().unlock(DeviceStore.passcode)
        } else {
          let key = try TPMDeviceKey(in: store.deviceFolder, transport: store.device.transport)
          do {
            try Keybag.open(at: store.storeFolder, device: key).unlock(DeviceStore.passcode)
          } catch AtRestError.Code.notFound {
            _ = try Keybag.create(at: store.storeFolder, device: key, options: DeviceStore.options)
          }
        }
      })
    #expect(count > 10)
  }
}
