import AgentFuzzTargets
import FuzzDriver

try FuzzDriver.main(AgentFuzzTarget.self) { target in target.run }
