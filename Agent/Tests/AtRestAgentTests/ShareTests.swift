import Synchronization
import Testing

@testable import AtRestAgent

/// A new client is served, however many connections others hold.
struct ShareTests {
  private func holder(_ process: Int32, _ program: UInt64, user: UInt32 = 1) -> Holder {
    Holder(user: user, process: process, program: .file(device: 1, number: program))
  }

  private final class Ends: Sendable {
    let all = Mutex<[Int32]>([])
  }

  private func admit(_ shares: Shares, _ holder: Holder, _ ends: Ends) -> Shares.Share? {
    let process = holder.process
    return shares.admit(holder) { ends.all.withLock { $0.append(process) } }
  }

  @Test func theProgramWithTheMostGivesWay() throws {
    var limits = Shares.Limits()
    (limits.all, limits.ofProgram, limits.ofProcess) = (8, 6, 3)
    let (shares, ends) = (Shares(limits, user: 1), Ends())
    let honest = try #require(admit(shares, holder(1, 1), ends))
    // A program with two processes: what is over their share is refused.
    let many = (10..<12 as Range<Int32>).flatMap { process in
      (0..<4).map { _ in admit(shares, holder(process, 2), ends) }
    }
    #expect(many.compactMap { $0 }.count == 6)
    _ = admit(shares, holder(20, 3), ends)
    #expect(shares.count == 8 && ends.all.withLock { $0 } == [])
    // There is no room, so the oldest connections of the program with the most end.
    for process in 30..<33 as Range<Int32> {
      #expect(admit(shares, holder(process, UInt64(process)), ends) != nil)
    }
    #expect(shares.count == 8 && ends.all.withLock { $0 } == [10, 11, 10])
    shares.remove(honest)
    #expect(shares.count == 7)
  }

  /// Processes of one program, such as an interpreter, do not keep out another one of it.
  @Test func theProcessWithTheMostGivesWay() throws {
    var limits = Shares.Limits()
    (limits.ofProgram, limits.ofProcess) = (5, 3)
    let (shares, ends) = (Shares(limits, user: 1), Ends())
    let honest = try #require(admit(shares, holder(1, 2), ends))
    for _ in 0..<3 { #expect(admit(shares, holder(10, 2), ends) != nil) }
    #expect(admit(shares, holder(10, 2), ends) == nil)
    for process in 20..<23 as Range<Int32> {
      #expect(admit(shares, holder(process, 2), ends) != nil)
    }
    #expect(shares.count == 5 && ends.all.withLock { $0 } == [10, 10])
    shares.remove(honest)
    #expect(shares.count == 4)
  }

  /// A connection with a request in work ends after the silent ones of its program, and before those of
  /// programs that have fewer.
  @Test func requestsInWorkKeepNobodyOut() throws {
    var limits = Shares.Limits()
    limits.all = 8
    let (shares, ends) = (Shares(limits, user: 1), Ends())
    let honest = try #require(admit(shares, holder(1, 1), ends))
    let busy = try (10..<17 as Range<Int32>).map {
      try #require(admit(shares, holder($0, 2), ends))
    }
    for share in busy.dropLast() { share.isBusy = true }
    for process in 30..<32 as Range<Int32> {
      #expect(admit(shares, holder(process, UInt64(process)), ends) != nil)
    }
    #expect(ends.all.withLock { $0 } == [16, 10])
    shares.remove(honest)
    #expect(shares.count == 7)
  }

  @Test func otherUsersHaveFew() {
    let (shares, ends) = (Shares(user: 1), Ends())
    let admitted = (0..<100 as Range<Int32>).filter {
      admit(shares, holder($0, UInt64($0), user: 2), ends) != nil
    }
    #expect(admitted.count == 8)
    // Root's service manager fetches many credentials at once.
    #expect((0..<100).allSatisfy { _ in admit(shares, holder(1, 1, user: 0), ends) != nil })
  }

  @Test func memoryIsShared() {
    let budget = Budget(most: 100, mostOfOne: 40)
    let (first, second) = (holder(1, 1), holder(2, 2))
    // Something large is held alone.
    #expect(budget.take(500, for: first))
    #expect(!budget.take(1, for: second))
    budget.give(500, for: first)
    #expect(budget.take(30, for: first) && !budget.take(30, for: first))
    #expect(budget.take(40, for: second) && budget.take(30, for: holder(3, 3)))
    #expect(!budget.take(1, for: holder(4, 4)))
    budget.give(40, for: second)
    #expect(budget.take(1, for: holder(4, 4)))
    #expect(budget.used == 61)
  }
}
