import { lifeOf } from "./suites/life";

lifeOf("VmRestore", "json");
lifeOf("FileRestore", "xml");
