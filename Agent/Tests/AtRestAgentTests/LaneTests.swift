import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import AtRestAgent

/// A program with many requests waits for itself, and others do not wait for it.
struct LaneTests {
  private static let loop = MultiThreadedEventLoopGroup.singleton.next()

  private func holder(_ process: Int32) -> Holder { Holder(user: 1, process: process) }

  @Test func othersDoNotWait() throws {
    let lane = Lane("test", threads: 2, mostOfOne: 1)
    let hold = DispatchSemaphore(value: 0)
    let order = Mutex<[String]>([])
    // One program has much to do, and its first work does not end.
    let many = (0..<50).map { number in
      lane.run(for: holder(1), on: Self.loop) {
        if number == 0 { hold.wait() }
        order.withLock { $0.append("many") }
      }
    }
    for process in 2..<5 as Range<Int32> {
      try lane.run(for: holder(process), on: Self.loop) {
        order.withLock { $0.append("other") }
      }.wait()
    }
    #expect(order.withLock { $0 } == ["other", "other", "other"])
    hold.signal()
    for work in many { try work.wait() }
    #expect(order.withLock { $0.count } == 53)
    lane.stop()
  }

  /// With one thread, the next work is that of another program if there is one.
  @Test func programsTakeTurns() throws {
    let lane = Lane("test", threads: 1)
    let (begun, hold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Mutex<[Int32]>([])
    let first = lane.run(for: holder(9), on: Self.loop) {
      begun.signal()
      hold.wait()
    }
    begun.wait()
    let rest = ([1, 1, 1, 2, 3] as [Int32]).map { process in
      lane.run(for: holder(process), on: Self.loop) { order.withLock { $0.append(process) } }
    }
    hold.signal()
    try first.wait()
    for work in rest { try work.wait() }
    #expect(order.withLock { $0 } == [1, 2, 3, 1, 1])
    lane.stop()
  }

  /// Work waits also for connections that have ended, so there is a bound for it.
  @Test func aProgramWithTooMuchWorkIsRefused() throws {
    let lane = Lane("test", threads: 1)
    let (begun, hold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = lane.run(for: holder(9), on: Self.loop) {
      begun.signal()
      hold.wait()
    }
    begun.wait()
    // Eight programs, each with as much as is accepted.
    let done = Mutex(0)
    let many = (1...8 as ClosedRange<Int32>).flatMap { process in
      (0..<1000).map { _ in
        lane.run(for: holder(process), on: Self.loop) { done.withLock { $0 += 1 } }
      }
    }
    // Control: another program is still served.
    let other = lane.run(for: holder(10), on: Self.loop) {}
    hold.signal()
    try first.wait()
    try other.wait()
    let refused = many.count { (try? $0.wait()) == nil }
    #expect(done.withLock { $0 } == many.count - refused)
    #expect(refused == 8000 - 2048 - 4 * 8)
    lane.stop()
  }

  /// Work that does not end does not keep the agent from ending.
  @Test func aLaneEnds() throws {
    let lane = Lane("test", threads: 1)
    let (begun, hold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = lane.run(for: holder(1), on: Self.loop) {
      begun.signal()
      hold.wait()
    }
    begun.wait()
    let second = lane.run(for: holder(1), on: Self.loop) {}
    lane.stop()
    #expect(throws: Lane.Ended.self) { try second.wait() }
    #expect(throws: Lane.Ended.self) { try lane.run(for: holder(1), on: Self.loop) {}.wait() }
    hold.signal()
    try first.wait()
  }
}
