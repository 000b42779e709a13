import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Synchronization
import Testing

/// The counter is stepped with each change of a keybag, and otherwise at most once in ten minutes.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct CounterWearTests {
  private final class Time: Sendable {
    let seconds = Mutex<UInt64>(1_000)
    var clock: BootClock {
      BootClock {
        BootClock.Reading(
          boot: Data(repeating: 1, count: 16), seconds: self.seconds.withLock { $0 }, date: 0)
      }
    }
  }

  @Test func writesStepItOnceInTenMinutes() throws {
    let store = try DeviceStore()
    let time = Time()
    let name = "0123456789abcdef0123456789abcdef.test"
    let device = try TPMDeviceKey.create(
      in: store.deviceFolder, transport: store.device.transport, clock: time.clock
    ).device
    let start = try device.counterValue()
    for index in 0..<100 {
      time.seconds.withLock { $0 += 5 }
      try device.remember(Data("\(index)".utf8), as: name, durably: false)
    }
    #expect(try device.counterValue() == start)
    time.seconds.withLock { $0 += 100 }
    try device.remember(Data("x".utf8), as: name, durably: false)
    try device.remember(Data("y".utf8), as: name, durably: false)
    #expect(try device.counterValue() == start + 1)
    #expect(try device.recall(name) == Data("y".utf8))
  }

  @Test func anOpeningFixesTheWritesAfterTheLastStep() throws {
    let store = try DeviceStore()
    let time = Time()
    let name = "0123456789abcdef0123456789abcdef.test"
    func open() throws -> TPMDeviceKey {
      try TPMDeviceKey(
        in: store.deviceFolder, transport: store.device.transport, clock: time.clock)
    }
    let start: UInt64
    do {
      let device = try TPMDeviceKey.create(
        in: store.deviceFolder, transport: store.device.transport, clock: time.clock
      ).device
      try device.remember(Data("x".utf8), as: name, durably: false)
      start = try device.counterValue()
    }
    #expect(try open().counterValue() == start)
    time.seconds.withLock { $0 += 700 }
    #expect(try open().counterValue() == start + 1)
    // Nothing is new, so nothing is stepped.
    time.seconds.withLock { $0 += 700 }
    #expect(try open().counterValue() == start + 1)
  }

  @Test func aPasscodeChangeStepsItTwice() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let device = try #require(keybag.device as? TPMDeviceKey)
    let start = try device.counterValue()
    try keybag.change(DeviceStore.passcode, "another horse 43")
    #expect(try device.counterValue() == start + 2)
  }
}
