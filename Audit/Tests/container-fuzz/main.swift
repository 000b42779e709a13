import ContainerFuzzTargets
import FuzzDriver

try FuzzDriver.main(ContainerFuzzTarget.self) { target in target.run }
